# The registry for one machine: docs/guides/run-for-a-team.md.

# Java is the same for all architectures: what builds it runs as fast as the machine.
FROM --platform=$BUILDPLATFORM maven:3.9.11-eclipse-temurin-25 AS build
WORKDIR /build
COPY . .
# The class archive belongs to the Java that runs: it is made below.
RUN --mount=type=cache,target=/root/.m2 mvn -B -q -Prelease -DskipTests -DskipClassArchive=true -pl local -am package

FROM eclipse-temurin:25.0.3_9-jre-noble
COPY --from=build /build/local/target/agent-health /opt/agent-health
RUN groupadd --system --gid 10001 agent-health \
    && useradd --system --uid 10001 --gid agent-health --no-create-home --home-dir /data --shell /usr/sbin/nologin agent-health \
    && install --directory --owner=agent-health --group=agent-health --mode=0700 /data \
    && /opt/agent-health/bin/prepare
USER 10001:10001
WORKDIR /data
ENV PATH=/opt/agent-health/bin:$PATH
ENV AGENT_HEALTH_HOST=0.0.0.0 AGENT_HEALTH_PORT=8080 AGENT_HEALTH_DATA_DIR=/data JAVA_OPTS=-XX:MaxRAMPercentage=75
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# Bash instead of a command of the program, which would start a JVM for each check.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${AGENT_HEALTH_PORT} && printf 'GET /api/v1/ping HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["agent-health"]
CMD ["serve"]

# The registry for one machine. Build the image yourself and do not publish it: it contains DynamoDB Local, which Amazon's licence
# lets you use for development and testing, and not redistribute. docs/guides/run-for-a-team.md says more.

FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.m2 mvn -B -q -DskipTests -pl local -am package

# DynamoDB Local brings native libraries that need glibc: no Alpine.
FROM eclipse-temurin:17-jre
RUN groupadd --system --gid 10001 agent-health \
    && useradd --system --uid 10001 --gid agent-health --no-create-home --home-dir /data --shell /usr/sbin/nologin agent-health \
    && install --directory --owner=agent-health --group=agent-health --mode=0700 /data
COPY --from=build /build/local/target/lib /opt/agent-health/lib
COPY --from=build /build/local/target/agent-health-local.jar /opt/agent-health/
COPY LICENSE /opt/agent-health/
USER agent-health
WORKDIR /data
ENV AGENT_HEALTH_HOST=0.0.0.0 AGENT_HEALTH_PORT=8080 AGENT_HEALTH_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${AGENT_HEALTH_PORT} && printf 'GET /api/v1/ping HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-jar", "/opt/agent-health/agent-health-local.jar"]
CMD ["serve"]

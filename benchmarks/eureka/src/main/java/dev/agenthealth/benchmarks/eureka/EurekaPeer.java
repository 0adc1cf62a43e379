package dev.agenthealth.benchmarks.eureka;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;

/**
 * A Eureka server with its default settings, alone and on the port of the environment variable {@code PORT}. Only its connections live
 * longer than by default: Tomcat closes a connection after 100 requests, and the clients of a measurement keep their connections.
 */
@SpringBootApplication
@EnableEurekaServer
public class EurekaPeer {

    public static void main(String[] arguments) {
        SpringApplication.run(
                EurekaPeer.class,
                "--server.address=127.0.0.1",
                "--server.port=" + System.getenv("PORT"),
                "--server.tomcat.max-keep-alive-requests=-1",
                "--eureka.client.register-with-eureka=false",
                "--eureka.client.fetch-registry=false",
                "--logging.level.root=WARN");
    }
}

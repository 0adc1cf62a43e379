package dev.agenthealth.spring;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;

/** Publishes the event that Spring Boot publishes once an application is ready. */
final class Readiness {

    private Readiness() {}

    /** Says that the application is ready, and waits until its agents are started or refused. */
    static ApplicationAgents of(ConfigurableApplicationContext context) {
        context.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0], context, Duration.ZERO));
        ApplicationAgents agents = context.getBean(ApplicationAgents.class);
        agents.starting().orTimeout(30, TimeUnit.SECONDS).join();
        return agents;
    }
}

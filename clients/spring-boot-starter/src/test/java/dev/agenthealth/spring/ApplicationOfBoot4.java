package dev.agenthealth.spring;

import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that {@link SpringBoot4Test} runs in a process of its own: prints the version of Spring Boot, the contributor and what it says. */
final class ApplicationOfBoot4 {

    private ApplicationOfBoot4() {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Billing {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        try (ConfigurableApplicationContext context = SpringApplication.run(Billing.class, arguments)) {
            context.getBean(ApplicationAgents.class)
                    .starting()
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
            System.out.println("Spring Boot " + SpringBootVersion.getVersion() + ": " + health(context));
        }
    }

    /** The contributor as the registry of Actuator has it. Its type is one that this module is not compiled with. */
    private static Object health(ConfigurableApplicationContext context) throws ReflectiveOperationException {
        Class<?> indicator = Class.forName(ContributorOfBoot4.INDICATOR);
        Object contributor = context.getBeansOfType(indicator).get("agentHealthHealthIndicator");
        return contributor == null
                ? "no contributor"
                : indicator.getMethod("health", boolean.class).invoke(contributor, true);
    }
}

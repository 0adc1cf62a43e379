package dev.agenthealth.template;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A function as the template defines it, with the template's globals merged in and everything resolved.
 *
 * @param logicalId its name in the template
 * @param name physical name
 * @param codeUri path of its deployment package
 * @param handlerClass fully qualified name of the handler class
 * @param handlerMethod name of its method
 * @param environment environment variables
 * @param timeout maximum duration of an invocation
 * @param memoryMegabytes its memory size
 * @param snapStart whether its instances start from a snapshot
 * @param routes the routes of the HTTP API that lead to it
 * @param schedules the schedules that invoke it
 * @param streams the table streams that it reads
 * @param queues the queues whose messages it receives
 * @param policies the statements of its own role
 */
public record FunctionDefinition(
        String logicalId,
        String name,
        String codeUri,
        String handlerClass,
        String handlerMethod,
        Map<String, String> environment,
        Duration timeout,
        int memoryMegabytes,
        boolean snapStart,
        List<Route> routes,
        List<ScheduleDefinition> schedules,
        List<StreamMapping> streams,
        List<QueueMapping> queues,
        List<PolicyStatement> policies) {

    public FunctionDefinition {
        environment = Map.copyOf(environment);
        routes = List.copyOf(routes);
        schedules = List.copyOf(schedules);
        streams = List.copyOf(streams);
        queues = List.copyOf(queues);
        policies = List.copyOf(policies);
    }

    /** Returns this function with another maximum duration. */
    public FunctionDefinition withTimeout(Duration newTimeout) {
        return new FunctionDefinition(
                logicalId,
                name,
                codeUri,
                handlerClass,
                handlerMethod,
                environment,
                newTimeout,
                memoryMegabytes,
                snapStart,
                routes,
                schedules,
                streams,
                queues,
                policies);
    }
}

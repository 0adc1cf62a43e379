/** API Gateway as an HTTP API: routes, events in payload format 2.0, responses. Sockets are in {@code emulator.http}. */
package dev.agenthealth.emulator.apigateway;

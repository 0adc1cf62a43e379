/** What API Gateway (an HTTP API) is to the deployed system: routes, events in payload format 2.0, answers. */
package dev.agenthealth.emulator.apigateway;

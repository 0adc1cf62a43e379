/** Invocations of agents through the gateway: who may be called, the call, its outcome and its receipt (ServiceNet). */
package dev.agenthealth.functions.gateway;

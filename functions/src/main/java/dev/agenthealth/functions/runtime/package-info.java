/**
 * The tools of every function: HTTP requests and responses, JSON, logs and metrics, outgoing calls, clients of AWS services, secrets,
 * threads.
 *
 * <p>The runtime depends on neither agents nor tables. {@code wiring} creates the clients and the clock from the environment once, so that
 * a test can replace them. {@code outbound} makes all calls to other parties: it resolves a name, checks the address and connects to that
 * address. {@code http} converts an event of API Gateway into a request with checked fields, and an error into a problem document (RFC
 * 9457).
 *
 * <p>Read {@link dev.agenthealth.functions.runtime.wiring.Wiring} first.
 */
package dev.agenthealth.functions.runtime;

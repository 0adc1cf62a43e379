/**
 * The tools of every function: HTTP requests and responses, JSON, logs and metrics, outgoing calls, clients of AWS services, secrets, threads.
 *
 * <p>The runtime knows neither agents nor tables. {@code wiring} creates the clients and the clock from the environment once, so that a test can
 * replace them. {@code outbound} is the only way out of the process: it resolves a name, checks the address and connects to that address. {@code http}
 * turns an event of API Gateway into a request whose fields are checked, and an error into a problem document (RFC 9457).
 *
 * <p>Read {@link dev.agenthealth.functions.runtime.wiring.Wiring} first.
 */
package dev.agenthealth.functions.runtime;

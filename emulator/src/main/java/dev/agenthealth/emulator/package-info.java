/**
 * The parts of AWS that the system needs, in one JVM. Each service has a package; this package connects the services. EventBridge, Lambda
 * and SQS are SDK clients without HTTP.
 *
 * <p>The local run and the tests of the functions use it. It depends on the template reader, but not on the functions or the local run.
 */
package dev.agenthealth.emulator;

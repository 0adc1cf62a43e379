/**
 * The parts of AWS that the system needs, in one JVM: one package for each service, and here what joins them. EventBridge, Lambda and SQS are
 * SDK clients implemented in process, without HTTP.
 *
 * <p>The local run and the tests of the functions use it. It depends on the template reader, not on the functions and not on the local run.
 */
package dev.agenthealth.emulator;

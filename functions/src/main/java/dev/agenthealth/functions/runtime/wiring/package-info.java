/** The environment of a function and the clients of AWS services. */
package dev.agenthealth.functions.runtime.wiring;

/** The environment of a function and the clients of AWS services. Read {@link dev.agenthealth.functions.runtime.wiring.Wiring} first. */
package dev.agenthealth.functions.runtime.wiring;

/**
 * The vocabulary and the rules of the registry, as records, enums and pure functions of state, input and time.
 *
 * <p>This package itself has the types that several packages below it share. It does no I/O and knows neither AWS nor JSON. It has no clock:
 * callers pass the current time. The functions module has storage attributes and HTTP.
 */
package dev.agenthealth.model;

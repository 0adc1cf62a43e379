/**
 * The vocabulary and the rules of the registry, as records, enums and pure functions of state, input and time.
 *
 * <p>Types that several of the packages below share live here. No I/O, no AWS, no JSON, no clock: callers pass the current time.
 * Storage attribute names and HTTP belong to the functions module.
 */
package dev.agenthealth.model;

/**
 * Lambda: the template's functions, found by their handlers' names and invoked with events or JSON. Event source mappings are in the
 * packages of their sources.
 */
package dev.agenthealth.emulator.lambda;

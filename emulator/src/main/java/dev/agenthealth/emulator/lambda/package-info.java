/** Lambda: the functions of the template, found by their handlers' names and invoked with events or JSON. Mappings are with their source. */
package dev.agenthealth.emulator.lambda;

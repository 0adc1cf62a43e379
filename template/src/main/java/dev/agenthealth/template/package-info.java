/**
 * Reads {@code template.yaml}, the one description of the deployed system: its functions, routes, tables, schedules, queues, stream
 * mappings and event rules. Only the intrinsic functions and resource types that the template uses are supported; another one is an error
 * that names its place.
 *
 * <p>Knows nothing of the functions' code, and runs nothing: that is the work of the emulator.
 */
package dev.agenthealth.template;

/**
 * Reads {@code template.yaml}, the description of the deployed system: its functions, routes, tables, schedules, queues, stream mappings
 * and event rules. Only the intrinsic functions and resource types of this template are supported. An unsupported type is an error that
 * names its place.
 *
 * <p>The package does not depend on the functions' code and runs nothing; the emulator runs functions.
 */
package dev.agenthealth.template;

/**
 * The deployed system in one JVM, without an AWS account: the functions of {@code template.yaml} on the emulator. {@link
 * dev.agenthealth.local.cli.Main} runs it from the command line, {@link dev.agenthealth.local.LocalSystem} in a test.
 *
 * <p>Here are options and wiring. What behaves like AWS belongs to the module {@code emulator}, what decides about agents to {@code
 * functions}.
 */
package dev.agenthealth.local;

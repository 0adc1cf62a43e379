/**
 * Runs the functions of {@code template.yaml} on the emulator, in one JVM and without an AWS account. {@link
 * dev.agenthealth.local.cli.Main} runs the system from the command line, {@link dev.agenthealth.local.LocalSystem} in a test.
 *
 * <p>This package contains options and wiring. The module {@code emulator} emulates AWS, and the module {@code functions} decides about
 * agents.
 */
package dev.agenthealth.local;

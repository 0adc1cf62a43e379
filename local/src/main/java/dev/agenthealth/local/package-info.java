/**
 * The deployed system in one JVM, without an AWS account: the functions of {@code template.yaml} on the emulator. {@link
 * dev.agenthealth.local.cli.Main} runs it from the command line, {@link dev.agenthealth.local.LocalSystem} in a test.
 *
 * <p>This package contains options and wiring. The module {@code emulator} emulates AWS, and the module {@code functions} decides about
 * agents.
 */
package dev.agenthealth.local;

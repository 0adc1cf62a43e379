/**
 * The command line of the jar: {@link dev.agenthealth.local.cli.Main} runs it. A command reads its options, calls the code that does the
 * work, and prints the result.
 */
package dev.agenthealth.local.cli;

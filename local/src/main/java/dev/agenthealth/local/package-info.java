/**
 * The deployed system on one JVM: {@code template.yaml}'s functions, routes, tables, streams, schedules and event buses, with
 * no AWS account. {@link dev.agenthealth.local.LocalRun} runs it from the command line, {@link
 * dev.agenthealth.local.LocalSystem} inside a test.
 */
package dev.agenthealth.local;

/** Threads of a function that work in parallel. */
package dev.agenthealth.functions.runtime.threads;

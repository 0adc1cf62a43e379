/** Work that is done by several threads of a function. */
package dev.agenthealth.functions.threads;

/** Erasing what the registry holds about an agent. */
package dev.agenthealth.functions.erasure;

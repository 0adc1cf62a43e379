/** Erasure of all data about an agent, for administrators. */
package dev.agenthealth.functions.operations.erasure;

/** A Java agent to start from. */
package dev.agenthealth.example;

/** What was given up: stream records and messages on which a function failed too often. */
package dev.agenthealth.emulator.deadletters;

/**
 * Stream records and messages on which a function failed too often. The deliveries in the packages of the services decide when to give up.
 */
package dev.agenthealth.emulator.deadletters;

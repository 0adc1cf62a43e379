/** Stream records and messages on which a function failed too often. Deliveries, which decide that, live with their service. */
package dev.agenthealth.emulator.deadletters;

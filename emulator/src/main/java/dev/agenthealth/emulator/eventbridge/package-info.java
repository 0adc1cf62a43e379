/** What EventBridge is to the deployed system: event buses with the template's rules, reached through PutEvents. */
package dev.agenthealth.emulator.eventbridge;

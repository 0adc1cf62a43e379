/** EventBridge: event buses with the template's rules, and PutEvents. What targets do with events is in {@code emulator.RuleTargets}. */
package dev.agenthealth.emulator.eventbridge;

/** EventBridge: event buses with the template's rules, and PutEvents. {@code emulator.RuleTargets} delivers events to targets. */
package dev.agenthealth.emulator.eventbridge;

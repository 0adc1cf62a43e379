/** What Lambda is to the deployed system: functions found by the template's handler names, and invoked. */
package dev.agenthealth.emulator.lambda;

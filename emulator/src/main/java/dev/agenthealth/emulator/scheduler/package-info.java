/** What EventBridge Scheduler is to the deployed system: functions invoked by time. */
package dev.agenthealth.emulator.scheduler;

/** EventBridge Scheduler: functions invoked at a rate. */
package dev.agenthealth.emulator.scheduler;

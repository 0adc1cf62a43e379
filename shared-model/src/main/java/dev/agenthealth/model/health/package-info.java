/** Whether an agent works as declared: health status, calibration, decay, and when their changes are told. */
package dev.agenthealth.model.health;

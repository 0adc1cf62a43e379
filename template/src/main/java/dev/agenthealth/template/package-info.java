/**
 * Reads {@code template.yaml}, the one description of the deployed system, and answers what it says about functions,
 * routes, tables, schedules, stream mappings and event rules. Knows CloudFormation's intrinsic functions and the SAM
 * resource types the system uses; anything else in a place that matters is an error that names the place.
 */
package dev.agenthealth.template;

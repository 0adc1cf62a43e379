/**
 * Computes what the deployed system costs per month and renders {@code docs/cost.md}. All figures come from the JSON files of this module and
 * from the template; the code holds no price, no workload and no measured value.
 */
package dev.agenthealth.benchmarks.cost;

/** What the deployed system costs a month: pure functions from a workload, measured budgets and unit prices to a bill. */
package dev.agenthealth.benchmarks.cost;

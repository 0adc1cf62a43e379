/** How long a heartbeat takes without DynamoDB, and how much memory it allocates. */
package dev.agenthealth.benchmarks.heartbeat;

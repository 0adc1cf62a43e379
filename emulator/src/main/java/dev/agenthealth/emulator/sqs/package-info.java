/** SQS: queues, its API, and Lambda's mappings of queues to functions. */
package dev.agenthealth.emulator.sqs;

/** What SQS, and Lambda's mappings of its queues, are to the deployed system: messages taken, kept and handed to functions. */
package dev.agenthealth.emulator.sqs;

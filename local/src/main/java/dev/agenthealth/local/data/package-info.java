/** The folder with the data of a local run: its format, its lock, and its backups. */
package dev.agenthealth.local.data;

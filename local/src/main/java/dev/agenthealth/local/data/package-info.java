/** The folder with the data of a local run: its format, its lock, and backups of it. */
package dev.agenthealth.local.data;

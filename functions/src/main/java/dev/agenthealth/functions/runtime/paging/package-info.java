/** Pages of lists, which storage and routes share. */
package dev.agenthealth.functions.runtime.paging;

package dev.agenthealth.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method of an {@link Agent} that finishes the agent's work; it takes nothing or a {@link Drain}. Of any visibility, and called
 * as {@link AgentBuilder#onDrain} says.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnDrain {}

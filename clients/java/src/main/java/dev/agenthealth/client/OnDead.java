package dev.agenthealth.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method of an {@link Agent} that stops the agent's work under leases; it takes nothing or a {@link Death}. Of any visibility,
 * and called as {@link AgentBuilder#onDead} says.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnDead {}

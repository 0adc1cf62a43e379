package dev.agenthealth.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method of an {@link Agent} that finishes the agent's work. It takes no parameter or a {@link Drain}, and may have any
 * visibility. {@link AgentBuilder#onDrain} describes its call.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnDrain {}

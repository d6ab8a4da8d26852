package org.bloomgate.base.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a map by constants that may be written as one value for all of them. As a map, its entry `default`
/// applies to every constant that is not named, unless a constant has that name.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface ScalarOrMap {}

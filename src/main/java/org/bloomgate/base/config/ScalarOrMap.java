package org.bloomgate.base.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a map by constants that may be written as one value, which is then that of every constant. Among its entries
/// `default` stands for every constant that is not named, unless that is the name of a constant itself.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface ScalarOrMap {}

@echo off
rem Runs Agent Health with the Java of JAVA_HOME, or else of PATH, and the options in JAVA_OPTS.
setlocal
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
"%JAVA%" %JAVA_OPTS% -Dagent-health.command=agent-health -jar "%~dp0..\agent-health-local.jar" %*
